// Runs before the first paint. Dark unless light was chosen; splash.css waits with the splash on a later visit.
{
  const { classList } = document.documentElement
  let isFirstVisit = false
  try {
    if (localStorage.getItem('colour-mode') === 'light') classList.add('scheme-light')
    isFirstVisit = localStorage.getItem('earshot-visited') === null
  } catch {
    // Storage is not allowed: the page stays dark, and every visit is a later one.
  }
  classList.add(isFirstVisit ? 'first-visit' : 'later-visit')
}

// Before the first paint. Where storage is not allowed, the page is dark, and every visit a later one.
{
  const { classList } = document.documentElement
  try {
    if (localStorage.getItem('colour-mode') === 'light') classList.add('scheme-light')
    if (localStorage.getItem('earshot-visited')) classList.add('later-visit')
  } catch {
    classList.add('later-visit')
  }
}

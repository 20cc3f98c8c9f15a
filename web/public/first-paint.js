// Before the first paint. Where storage is not allowed, the page is dark, and every visit a later one.
{
  const { classList } = document.documentElement
  try {
    if (localStorage.getItem('colourMode:v1') === 'light') classList.add('scheme-light')
    if (localStorage.getItem('visited:v1')) classList.add('later-visit')
  } catch {
    classList.add('later-visit')
  }
}
// The splash would stay for ever where the page's script, or one that it imports, cannot be loaded.
addEventListener(
  'error',
  ({ target }) => {
    const text = document.querySelector('[data-static] > .splash-text')
    if (!text || target.type !== 'module') return
    text.replaceChildren(document.querySelector('#unreached').content)
    const reload = () => location.reload()
    text.querySelector('button').onclick = reload
    addEventListener('online', reload)
  },
  true,
)

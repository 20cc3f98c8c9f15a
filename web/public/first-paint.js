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

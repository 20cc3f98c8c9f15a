// Runs before the first paint, so that the remembered colour mode does not flash. Dark unless light was chosen.
try {
  if (localStorage.getItem('colour-mode') === 'light') document.documentElement.className = 'scheme-light'
} catch {
  // Storage is refused: the page stays dark.
}

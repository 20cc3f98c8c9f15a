// Applies the stored colour mode before the first paint to avoid a flash. Dark unless light was chosen.
try {
  if (localStorage.getItem('colour-mode') === 'light') document.documentElement.className = 'scheme-light'
} catch {
  // Storage is not allowed: the page stays dark.
}

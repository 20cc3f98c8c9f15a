// Leads to the server's address; server/src/http/public-address.ts names it where this page may be under another one.
{
  const addresses = document.currentScript.dataset.addresses.split(' ')
  // A proxy that leads from the first address back here must not be followed for ever.
  const isReturning = document.referrer.startsWith(`${location.origin}/`)
  if (!addresses.includes(location.origin) && !isReturning)
    location.replace(addresses[0] + location.pathname + location.search + location.hash)
}

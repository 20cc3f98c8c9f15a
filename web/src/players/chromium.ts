/** For what no feature tells: Chrome, Edge and others, though not their namesakes on iOS. */
export const isChromium = /Chrom(e|ium)\//.test(navigator.userAgent)

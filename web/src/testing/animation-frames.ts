// jsdom starts the timer of its frames on demand. Started under a fake clock it never fires, and no frame comes any
// more in this worker.
const nextFrame = window.requestAnimationFrame.bind(window)
const keepFrames = () => void nextFrame(keepFrames)
keepFrames()

import { answerCalls } from '../../async/worker-calls.ts'
import { createWaveformCalls } from './waveform-calls.ts'

/** The thread that computes waveforms. */

answerCalls(createWaveformCalls())

/** The sample rates of AAC by their index, in Hz (ISO/IEC 14496-3, table 1.18). */
export const aacSampleRates: readonly number[] = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
]

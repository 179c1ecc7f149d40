/** How the embedded server writes: slow enough to watch, in pieces of 8 characters, 50 of them a second. */
export const pace = { chunkSize: 8, streamingProfile: { ttft: 250, tps: 50, jitter: 0.3 } };

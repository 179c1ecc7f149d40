import { fileURLToPath } from 'node:url';

export const workspace = fileURLToPath(new URL('.', import.meta.url));
export const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The library was set up or called in a way that can't work; the message names the option, its value and the remedy. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

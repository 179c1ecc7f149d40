/** The API behind the server. */
export interface Upstream {
  /** With the version, without a slash at the end. */
  readonly url: string;
  readonly key?: string | undefined;
  readonly modelName?: string;
  /** What it is, for people. */
  readonly description: string;
  stop(): Promise<void>;
}

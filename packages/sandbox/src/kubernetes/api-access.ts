/** How to reach a cluster's API. */
export interface ApiAccess {
  /** Such as `https://10.0.0.1:443`. */
  url: string;
  /** Called before each request: tokens of pods are replaced every hour. */
  token?: () => Promise<string>;
  /** The cluster's certificate authority in PEM. */
  ca?: string;
}

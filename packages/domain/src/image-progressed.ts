/** Of a pull or a build that takes more than a moment; bounded in number. */
export interface ImageProgressed {
  image: string;
  phase: 'pull' | 'unpack' | 'build';
  percent?: number;
  /** Of the output of a build. */
  line?: string;
}

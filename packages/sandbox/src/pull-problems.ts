/** Why a registry or its image cannot be used, whatever pulls it: trying again cannot help. */
export type PullProblem = 'platform' | 'login' | 'damaged' | 'layers' | 'absent' | 'malformed';

/** In messages of Docker, containerd and CRI-O. The first that fits: a refused login often names an absent image as well. */
const SIGNS: readonly (readonly [RegExp, PullProblem])[] = [
  [
    /no match for platform|no matching manifest|does not match the specified platform|image operating system/i,
    'platform',
  ],
  [
    /unauthorized|authorization failed|authentication required|pull access denied|insufficient_scope|no basic auth|denied:|403 Forbidden|401 Unauthorized/i,
    'login',
  ],
  [
    /verification failed|unexpected (?:commit )?(?:digest|size)|digest mismatch|did not match|failed precondition|layers from manifest don't match|wrong diff id|invalid diffID|gzip: invalid|invalid tar header|archive\/tar|unexpected EOF|breakout|invalid hard ?link|processing tar file\(exit status \d+\): (?!.*(?:input\/output error|cannot allocate memory|read-only file system))/i,
    'damaged',
  ],
  [/max depth exceeded/i, 'layers'],
  [/not found|manifest unknown|name unknown|no such image|NotFound|\b404\b/i, 'absent'],
  [/InvalidImageName|invalid reference format|invalid repository name|couldn't parse image/i, 'malformed'],
];
const UNREACHABLE =
  /dial tcp|lookup |no such host|connection refused|i\/o timeout|deadline exceeded|TLS handshake/i;

/** Undefined where a later pull may succeed. The name of the image is left out, which may contain anything. */
export function pullProblemIn(reason: string, image: string): PullProblem | undefined {
  const text = reason.replaceAll(image, '');
  if (UNREACHABLE.test(text)) return undefined;
  return SIGNS.find(([sign]) => sign.test(text))?.[1];
}

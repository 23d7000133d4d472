/**
 * Full Unicode case folding, for comparison only: two texts have equal results exactly when CaseFolding.txt (C and F)
 * folds them alike. Lower, upper, lower again reaches every such class except two that need care: dotless i, which
 * folds to itself, and the final sigma, which lower-casing picks by position.
 */
export function foldCase(text: string): string {
  return text
    .split('ı')
    .map((part) => part.toLowerCase().toUpperCase().toLowerCase())
    .join('ı')
    .replaceAll('ς', 'σ');
}

const centredStyle = /(?:^|;)\s*text-align\s*:\s*center/i;
const anyAlignment = /(?:^|;)\s*text-align\s*:/i;
const centredClass = /(?:^|\s)has-text-align-center(?:\s|$)/;

/**
 * Returns whether a block shows its text centered: by its own style, `align`, the block editor's class, or inheritance.
 */
export function isCentred(
  name: string,
  attributes: ReadonlyMap<string, string>,
  inherited: boolean,
): boolean {
  const style = attributes.get('style') ?? '';
  if (anyAlignment.test(style)) return centredStyle.test(style);
  const align = attributes.get('align')?.trim().toLowerCase();
  if (align) return align === 'center';
  return inherited || name === 'center' || centredClass.test(attributes.get('class') ?? '');
}

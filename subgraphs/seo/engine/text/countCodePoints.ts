/** Counts code points, in which a pair of surrogates is one character. */
export function countCodePoints(text: string): number {
  let pairs = 0;
  for (let index = 1; index < text.length; index += 1) {
    const isLow = (text.charCodeAt(index) & 0xfc00) === 0xdc00;
    if (isLow && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) pairs += 1;
  }
  return text.length - pairs;
}

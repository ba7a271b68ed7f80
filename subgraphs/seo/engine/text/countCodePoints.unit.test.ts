import { countCodePoints } from './countCodePoints.ts';

test.each([
  '',
  'a',
  'ä',
  'a\u0308',
  '車',
  '𠮷野家',
  '😀😀',
  'a😀',
  '\ud83d',
  '\ude00\ud83d',
  '\ud83d\ud83d\ude00\ude00',
])('%j has as many characters as it has code points', (text) => {
  expect(countCodePoints(text)).toBe([...text].length);
});

import fc from 'fast-check';
import type { ListingTexts } from '../IndexedListing.ts';
import { doneAtOnce } from '../Slices.ts';
import { PostingLists } from './PostingLists.ts';
import { toStems } from './toStems.ts';
import { WordIndex } from './WordIndex.ts';

describe('toStems', () => {
  test.each([
    ['convertible', 'Red convertibles', 'en'],
    ['convertibles', 'A convertible', 'en'],
    ['Tür', 'Fünf Türen', 'de'],
    ['turen', 'Fünf Türen', 'de'],
    ['octavia', 'Škoda OCTAVIA', 'en'],
    ['skoda', 'Škoda OCTAVIA', 'en'],
    ['чёрный', 'Черный автомобиль', 'ru'],
    ['2', '2 doors', 'en'],
    ['golf', 'VW-Golf', 'en'],
    ['ｖｗ', 'VW', 'en'],
    ['हिन्दी', 'हिन्दी कार', 'hi'],
    ['the', 'the car', 'tlh'],
  ])('finds %j in %j (%s)', (word, text, language) => {
    const stems = toStems(text, language);
    expect(toStems(word, language).size).toBe(1);
    for (const stem of toStems(word, language)) expect(stems).toContain(stem);
  });

  test.each([
    ['ford', 'Fordhouse collection', 'en'],
    ['ford', 'Oxford', 'en'],
    ['हि', 'हिन्दी', 'hi'],
  ])('toStems does not find %j in %j (%s)', (word, text, language) => {
    for (const stem of toStems(word, language)) expect(toStems(text, language)).not.toContain(stem);
  });

  test.each([
    ['of the and with', 'en'],
    ['der die das und mit über', 'de'],
    ['le la et avec', 'fr'],
    ['- ( " 🚗', 'en'],
    ['a'.repeat(65), 'en'],
  ])('reads no word in %j (%s)', (text, language) => {
    expect([...toStems(text, language)]).toEqual([]);
  });

  test('does not treat words that matter to buyers as stop words', () => {
    expect(toStems('old new full long open top five home', 'en').size).toBe(8);
  });
});

test('a posting list has the entries that were added to it, independent of other lists', () => {
  const additions = fc.array(
    fc.record({
      list: fc.nat(3),
      gap: fc.oneof(fc.nat(20), fc.nat(1 << 22)),
      fields: fc.integer({ min: 1, max: 7 }),
    }),
    { maxLength: 400 },
  );
  fc.assert(
    fc.property(additions, fc.integer({ min: 1, max: 50 }), (list, atOnce) => {
      const lists = new PostingLists();
      const numbers = Array.from({ length: 4 }, () => lists.open());
      const expected: number[][] = numbers.map(() => []);
      let text = 0;
      for (const { list: number, gap, fields } of list) {
        // 400 gaps of 2^22 do not fit into 29 bits, so later gaps are small.
        text += text + gap < 2 ** 29 - 400 * 21 ? gap + 1 : (gap % 20) + 1;
        lists.append(number, text, fields);
        expected[number]?.push(text * 8 + fields);
      }
      for (const number of numbers) {
        const found: number[] = [];
        const reader = lists.read(number);
        const entries = new Uint32Array(atOnce);
        for (let count = reader.read(entries); count > 0; count = reader.read(entries))
          found.push(...entries.subarray(0, count));
        expect(found).toEqual(expected[number]);
      }
    }),
  );
});

test('a reader of a posting list does not read entries that are added after it was opened', () => {
  const lists = new PostingLists();
  const list = lists.open();
  for (let text = 1; text <= 1000; text += 1) lists.append(list, text, 1);
  const reader = lists.read(list);
  for (let text = 1001; text <= 2000; text += 1) lists.append(list, text, 1);
  const entries = new Uint32Array(5000);
  expect(reader.read(entries)).toBe(1000);
  expect(reader.read(entries)).toBe(0);
});

const words = ['ford', 'skoda', 'octavia', 'wagons', 'wagon', 'the', 'red'];
const text = fc.array(fc.constantFrom(...words), { maxLength: 4 }).map((list) => list.join(' '));
const texts = fc.record({
  title: text,
  attributesText: text,
  description: text,
  languageTag: fc.constantFrom('en', 'tlh'),
});
const changes = fc.array(fc.record({ row: fc.nat(30), texts: fc.option(texts), isTidied: fc.boolean() }), {
  maxLength: 80,
});
const find = (index: WordIndex, q: string): Record<number, number> => {
  const { rows, scores } = doneAtOnce(index.find(toStems(q, 'en'), 31));
  const found = [...rows.rows.subarray(0, rows.length)];
  expect(new Set(found).size).toBe(found.length);
  return Object.fromEntries(found.map((row) => [row, scores[row] as number]));
};
/** The sum of the weights of the fields that have each word. */
const scoreOf = (of: ListingTexts, q: string): number => {
  let score = 0;
  for (const word of toStems(q, 'en'))
    for (const [name, weight] of [
      ['title', 10],
      ['attributesText', 5],
      ['description', 1],
    ] as const)
      if (toStems(of[name], of.languageTag).has(word)) score += weight;
  return score;
};

test('a word index finds current texts and scores titles above attributes above descriptions', () => {
  fc.assert(
    fc.property(changes, text, (list, q) => {
      const index = new WordIndex({ mostOutdated: 3 });
      const known = new Map<number, ListingTexts>();
      for (const { row, texts: of, isTidied } of list) {
        if (of) {
          index.put(row, of);
          known.set(row, of);
        } else {
          index.remove(row);
          known.delete(row);
        }
        if (isTidied) doneAtOnce(index.tidy());
      }
      const expected = [...known]
        .map(([row, of]) => [row, scoreOf(of, q)] as const)
        .filter(([, score]) => score > 0);
      expect(find(index, q)).toEqual(Object.fromEntries(expected));
    }),
  );
});

test('a text that changes repeatedly needs bounded memory, and an equal text needs no additional memory', () => {
  const index = new WordIndex({ mostOutdated: 100 });
  const of = (title: string): ListingTexts => ({
    title,
    attributesText: '',
    description: '',
    languageTag: 'en',
  });
  index.put(0, of('kept'));
  for (let turn = 0; turn < 20_000; turn += 1) {
    index.put(1, of(`car ${turn}`));
    doneAtOnce(index.tidy());
  }
  expect(index.bytes).toBeLessThan(65_536);
  expect(find(index, 'kept')).toEqual({ 0: 10 });
  expect(find(index, 'car 19999')).toEqual({ 1: 20 });
  expect(find(index, '19998')).toEqual({});
  const { bytes } = index;
  for (let turn = 0; turn < 20_000; turn += 1) index.put(0, of('kept'));
  expect(index.bytes).toBe(bytes);
});

import { Readable } from 'node:stream';
import { AppError } from '../../../../platform/errors/AppError.ts';
import type { FeedRow } from './FeedRow.ts';
import { type FeedFormat, readFeed } from './readFeed.ts';

/** The bytes in small chunks, so that lines and characters are cut. */
function chunked(bytes: Buffer, size = 3): Readable {
  const chunks: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += size) chunks.push(bytes.subarray(start, start + size));
  return Readable.from(chunks);
}

async function read(feed: string | Buffer, format: FeedFormat = 'csv', size = 3): Promise<FeedRow[]> {
  const rows: FeedRow[] = [];
  const bytes = typeof feed === 'string' ? Buffer.from(feed) : feed;
  for await (const row of readFeed(chunked(bytes, size), format)) rows.push(row);
  return rows;
}

async function refusal(feed: string | Buffer, format: FeedFormat = 'csv'): Promise<AppError> {
  const error = await read(feed, format, 64).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
}

const membersOf = (rows: FeedRow[]) => rows.map(({ members }) => members);

test('a column of a feed is the path of a member, and its cells have the type of the member', async () => {
  const rows = await read(
    'stockNumber,price.amount,price.currency,contact.showPhone,location.geo.lat,location.geo.lng,attributes.mileageKm\n' +
      'A1,1245000,EUR,true,52.5,-13.4,84000\n',
  );
  expect(membersOf(rows)).toEqual([
    {
      stockNumber: 'A1',
      price: { amount: 1_245_000, currency: 'EUR' },
      contact: { showPhone: true },
      location: { geo: { lat: 52.5, lng: -13.4 } },
      attributes: { mileageKm: '84000' },
    },
  ]);
});

test('an empty cell of a feed clears an optional member and keeps a required one', async () => {
  const rows = await read(
    'stockNumber,title,language,price.amount,price.currency,location.geo.lat,location.geo.lng,attributes.fuel\nA1,,,,EUR,,,\n',
  );
  expect(membersOf(rows)).toEqual([
    { stockNumber: 'A1', title: null, price: null, location: { geo: null }, attributes: { fuel: null } },
  ]);
});

test('a cell of a numeric column that is not a whole number is read as a string', async () => {
  expect(membersOf(await read('stockNumber,price.amount,price.currency\nA1,12.50,EUR'))).toEqual([
    { stockNumber: 'A1', price: { amount: '12.50', currency: 'EUR' } },
  ]);
});

test.each([
  ['commas', ',', '\n'],
  ['semicolons', ';', '\n'],
  ['tabs', '\t', '\n'],
  ['commas and CRLF', ',', '\r\n'],
])('a feed whose header is separated by %s has cells with the same separator', async (_, separator, end) => {
  const line = (...cells: string[]) => cells.join(separator) + end;
  const rows = await read(line('stockNumber', 'title') + line('A1', 'one') + line('A2', 'two'));
  expect(membersOf(rows)).toEqual([
    { stockNumber: 'A1', title: 'one' },
    { stockNumber: 'A2', title: 'two' },
  ]);
});

test('a quoted cell can contain separators, quotes and line ends', async () => {
  const rows = await read('stockNumber;title;description\nA1;"a; ""b""";"one\ntwo"\n');
  expect(membersOf(rows)).toEqual([{ stockNumber: 'A1', title: 'a; "b"', description: 'one\ntwo' }]);
});

test.each<FeedFormat>(['csv', 'ndjson'])(
  'a feed in %s is read without its byte-order mark',
  async (format) => {
    const feed =
      format === 'csv' ? 'stockNumber,title\nÄ1,Škoda 🚗\n' : '{"stockNumber":"Ä1","title":"Škoda 🚗"}\n';
    const marked = await read(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(feed)]), format);
    expect(membersOf(marked)).toEqual([{ stockNumber: 'Ä1', title: 'Škoda 🚗' }]);
  },
);

const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();
test.each([
  ['UTF-16 with a byte-order mark', Buffer.from('\ufeffstockNumber\nA1', 'utf16le'), /UTF-16/],
  ['UTF-16 without a byte-order mark', Buffer.from('stockNumber\nA1', 'utf16le'), /UTF-16/],
  ['big-endian UTF-16', swapped('\ufeffstockNumber\nA1'), /UTF-16/],
  ['Latin 1', Buffer.from('stockNumber,title\nA1,Citroën\n', 'latin1'), /not valid UTF-8/],
  ['UTF-8 with an incomplete character', Buffer.from('stockNumber\nÄ').subarray(0, 13), /not valid UTF-8/],
])('a feed in %s is refused', async (_, bytes, words) => {
  expect(await refusal(bytes)).toMatchObject({
    code: 'validation_failed',
    message: expect.stringMatching(words),
  });
});

test('the refusal of a feed names every unknown or repeated column', async () => {
  const { code, details } = await refusal('stockNumber,titel,title,title\nA1,a,b,c\n');
  expect(code).toBe('validation_failed');
  expect(details.errors).toEqual([
    { pointer: '#/columns/1', code: 'unknown_field', detail: 'The column "titel" is unknown.' },
    { pointer: '#/columns/3', code: 'validation_failed', detail: 'The column "title" appears twice.' },
  ]);
});

test.each([
  ['no lines', ''],
  ['no column of stock numbers', 'title\nabc\n'],
  ['a quote that is not closed', `stockNumber,title\nA1,"${'x'.repeat(300_000)}`],
  ['a quote within a cell', 'stockNumber,title\nA1,a"b"c\n'],
])('a CSV feed with %s is refused', async (_, feed) => {
  expect((await refusal(feed)).status).toBe(422);
});

test('a row with another number of cells has a problem, and other rows have none', async () => {
  const rows = await read('stockNumber,title\nA1,one,more\n\nA2,two\nA3\n');
  expect(rows.map(({ number, problems }) => [number, problems.length])).toEqual([
    [1, 1],
    [2, 0],
    [3, 1],
  ]);
});

test('a line that is not a JSON object has a problem, and other lines have none', async () => {
  const rows = await read('{"stockNumber":"A1"}\nnot json\n\n[1]\n{"stockNumber":"A2"}', 'ndjson');
  expect(rows.map(({ number, problems: [problem] }) => [number, problem?.code])).toEqual([
    [1, undefined],
    [2, 'invalid_json'],
    [3, 'invalid_json'],
    [4, undefined],
  ]);
});

test('a JSON feed in one long line is refused', async () => {
  expect((await refusal(`{"stockNumber":"${'x'.repeat(400_000)}"}`, 'ndjson')).message).toMatch(
    /one object per line/,
  );
});

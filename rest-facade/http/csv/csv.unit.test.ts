import { request as startRequest } from 'node:http';
import { buildSchema, parse } from 'graphql';
import { findMember, shapeOfOperation } from '../../../schema/route/selectionShape.ts';
import { useFacade } from '../../../test/support/facade/startFacade.ts';
import { compileColumns } from './compileColumns.ts';

const facade = useFacade();
const asTable = { authorization: 'Bearer user', accept: 'text/csv' };

const list = (query = '', accept: string | null = 'text/csv', method = 'GET') =>
  facade.call(`/api/v1/listings${query}`, {
    method,
    token: 'user',
    ...(accept === null ? {} : { headers: { accept } }),
  });

describe('list with a CSV form', () => {
  test.each<[string | null, string]>([
    [null, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/json, text/csv', 'application/json'],
    ['text/csv', 'text/csv'],
    ['text/*', 'text/csv'],
    ['text/csv, application/json;q=0.9', 'text/csv'],
    ['application/json;q=0.2, text/csv;q=0.3', 'text/csv'],
    ['text/html, */*;q=0.1', 'application/json'],
  ])('a list returns Accept: %s as %s', async (accept, type) => {
    const { status, headers } = await list('', accept);
    expect([status, headers['content-type']?.split(';')[0]]).toEqual([200, type]);
    expect(headers.vary).toContain('Accept');
  });

  test.each(['text/html', 'text/csv;q=0', 'image/png'])(
    'a list returns 406 for Accept: %s',
    async (accept) => {
      const { status, json } = await list('', accept);
      expect(status).toBe(406);
      expect(json).toMatchObject({ code: 'not_acceptable', detail: expect.stringContaining('text/csv') });
    },
  );

  test('a route without a documented CSV form returns 406 for text/csv', async () => {
    expect((await facade.call('/api/v1/me', { headers: asTable })).status).toBe(406);
  });
});

describe('format parameter', () => {
  const report = (query: string, accept = 'application/json') =>
    facade.call(`/api/v1/listings-report${query}`, { token: 'user', headers: { accept } });

  test.each([
    ['?format=csv', 'application/json', 'text/csv'],
    ['?format=json', 'text/csv', 'application/json'],
    ['?format=csv', 'image/png', 'text/csv'],
    ['?limit=2&format=csv', '*/*', 'text/csv'],
    ['', 'text/csv', 'text/csv'],
  ])('the query "%s" overrides Accept: %s', async (query, accept, type) => {
    const { status, headers } = await report(query, accept);
    expect([status, headers['content-type']?.split(';')[0]]).toEqual([200, type]);
  });

  test('a CSV table links to its next page in the same format', async () => {
    const { headers } = await report('?format=json&limit=2', 'text/csv');
    expect(headers.link).toContain('format=json');
  });

  test.each([
    ['?format=xml', 'malformed_request'],
    ['?format=', 'malformed_request'],
    ['?format=csv&format=json', 'unsupported_parameter'],
    ['?format=toString', 'malformed_request'],
  ])('the query %s is refused', async (query, code) => {
    const { status, json } = await report(query);
    expect([status, json]).toMatchObject([400, { code }]);
  });

  test('a route without a documented format parameter refuses it', async () => {
    const { status, json } = await list('?format=csv');
    expect([status, json]).toMatchObject([400, { code: 'unsupported_parameter' }]);
  });
});

describe('CSV table', () => {
  test('a table contains the whole list and a header line, in lines of RFC 4180', async () => {
    const { headers, text } = await list();
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="listings.csv"',
      'cache-control': 'no-store',
    });
    const lines = text.split('\r\n');
    expect(lines.slice(0, 3)).toEqual(['id,state', 'lst_0,in_review', 'lst_1,in_review']);
    expect(lines.slice(-2)).toEqual(['lst_299,in_review', '']);
    expect(lines).toHaveLength(302);
  });

  test('a table starts at a cursor and has at most the requested rows', async () => {
    const { text } = await list('?cursor=100&limit=2');
    expect(text).toBe('id,state\r\nlst_100,in_review\r\nlst_101,in_review\r\n');
  });

  test('a table states the cursor of the next page in a trailer', async () => {
    expect(await trailersOf('/api/v1/listings?limit=2')).toEqual({ 'next-cursor': '2' });
    expect(await trailersOf('/api/v1/listings')).toEqual({});
  });

  test('a table ends after ten thousand rows and states the cursor of the next one', async () => {
    const lines = (await list('?tag=endless')).text.split('\r\n');
    expect(lines).toHaveLength(10_002);
    expect(new Set(lines).size).toBe(10_002);
    expect(await trailersOf('/api/v1/listings?tag=endless')).toEqual({ 'next-cursor': '10000' });
  });

  test('a HEAD request for a table returns no row', async () => {
    const { status, headers, text } = await list('', 'text/csv', 'HEAD');
    const type = 'text/csv; charset=utf-8; header=present';
    expect([status, text, headers['content-type']]).toEqual([200, '', type]);
  });

  test('a refused table returns a problem document', async () => {
    expect(await list('?limit=x')).toMatchObject({ status: 400, json: { code: 'malformed_request' } });
  });

  test('a table that fails after its first rows closes the connection and is not logged', async () => {
    await expect(list('?tag=broken')).rejects.toThrow(/aborted|hang up|reset/i);
    expect(facade.faults).toEqual([]);
  });

  test('a table whose client disconnects is not logged', async () => {
    const options = { port: facade.port, path: '/api/v1/listings', headers: asTable, agent: false };
    await new Promise((resolve) => {
      const request = startRequest(options, (response) =>
        response.once('data', () => resolve(response.destroy())),
      );
      request.end();
    });
    await list();
    expect(facade.faults).toEqual([]);
  });
});

function trailersOf(path: string): Promise<NodeJS.Dict<string>> {
  return new Promise((resolve, reject) => {
    const options = { port: facade.port, path, headers: asTable, agent: false };
    const request = startRequest(options, (response) => {
      response.resume().on('end', () => resolve(response.trailers));
    });
    request.on('error', reject).end();
  });
}

describe('CSV columns', () => {
  const schema = buildSchema(`
    type Query { row: Row }
    type Row { text: String amount: Int live: Boolean names: [String!] price: Price prices: [Price!] plain: Plain }
    type Price { amount: Int currency: String }
    union Plain = Price | Other
    type Other { currency: String word: String }
  `);
  const document = parse(
    '{ row { label: text amount live names price { amount currency } prices { amount } plain { ... on Price { currency } ... on Other { word } } } }',
  );
  const columns = compileColumns(findMember(shapeOfOperation(schema, document), ['row'])?.shape);

  test('a table has a column for each selected leaf', () => {
    expect(columns.map(({ name }) => name).join(' ')).toBe(
      'label amount live names price.amount price.currency prices plain.currency plain.word',
    );
  });

  test('a cell holds the value of its entry, a list as JSON, and nothing if it is null', () => {
    const own = { label: 'Ä "b", c', amount: -5, live: false, names: ['a', 'b'] };
    const row = { ...own, price: null, prices: [{ amount: 1 }], plain: { word: 'w' } };
    const cells = ['Ä "b", c', -5, 'false', '["a","b"]', null, null, '[{"amount":1}]', null, 'w'];
    expect(columns.map(({ read }) => read(row))).toEqual(cells);
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\rx', '\nx', '\uFF1D1', '\u00A0@x'])(
    'a cell escapes a formula: %j',
    (text) => {
      expect(columns[0]?.read({ label: text })).toBe(`'${text}`);
    },
  );

  test.each(['a=1', '1-1', "'=1", 'x@example.test', '12 + 3', ''])('a cell leaves %j unchanged', (text) => {
    expect(columns[0]?.read({ label: text })).toBe(text);
  });
});

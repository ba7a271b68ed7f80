import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { print } from 'graphql';
import { InvalidRoutes } from './Route.ts';
import { parseRouteDocument, readRoutes } from './readRoutes.ts';

const file = 'identity/listing/listing.graphql';
const valid = `query listing($listingId: ID!) @route(method: GET, path: "/api/v1/listings/{listingId}", result: "listing") {
  listing(id: $listingId) { id }
}`;

test('a route document yields its route, and the engine sees no route directive', () => {
  const [route] = parseRouteDocument(
    file,
    `query listing($listingId: ID! @parameter(name: "id")) @route(method: GET, path: "/api/v1/listings/{listingId}", result: "listing", etag: "version") {
      listing(id: $listingId) { id version }
    }`,
  );
  expect(route).toMatchObject({
    interface: 'A',
    method: 'GET',
    pathParameters: ['listingId'],
    operationName: 'listing',
    kind: 'query',
    status: 200,
    result: ['listing'],
    etag: ['version'],
    tag: 'listing',
  });
  expect(route?.parameterOptions.get('listingId')).toEqual({ name: 'id', explode: false });
  expect(print(route?.document as never)).not.toContain('@');
});

test('one operation may answer several methods and paths', () => {
  const routes = parseRouteDocument(
    'translation/changeStatus.graphql',
    `mutation changeStatus($input: I!)
      @route(method: PUT, path: "{rest_root}/translation/v1/translations", result: "changeStatus.translation")
      @route(method: PATCH, path: "{rest_root}/translation/v1/translations", result: "changeStatus.translation") {
      changeStatus(input: $input) { translation { id } }
    }`,
  );
  expect(routes.map(({ method, interface: owner }) => [method, owner])).toEqual([
    ['PUT', 'C'],
    ['PATCH', 'C'],
  ]);
});

test.each([
  ['the name of the file', valid, 'identity/listing/getListing.graphql', /must be named like its file/],
  [
    'the name of the root field',
    valid.replace('listing(id', 'other(id'),
    file,
    /exactly the root field "listing"/,
  ],
  ['an alias', valid.replace('listing(id', 'listing: listing(id'), file, /must not have an alias/],
  ['a second root field', valid.replace('{ id }', '{ id } other'), file, /exactly the root field/],
  ['a second operation', `${valid} query b { b }`, file, /exactly one operation/],
  ['a type definition', `${valid} type A { b: Int }`, file, /nothing else/],
  ['no route', 'query listing { listing }', file, /has no @route/],
  ['an unknown argument', valid.replace('result:', 'reslut:'), file, /has no argument "reslut"/],
  ['an unknown method', valid.replace('GET', 'HEAD'), file, /HEAD/],
  ['a path of nobody', valid.replace('/api/v1/', '/v2/'), file, /belongs to no interface/],
  ['a mixed segment', valid.replace('{listingId}"', 'x-{listingId}"'), file, /neither literal nor parameter/],
  ['a query that writes', valid.replace('GET', 'PUT'), file, /a query cannot answer PUT/],
  ['no result', valid.replace(', result: "listing"', ''), file, /has no "result"/],
  ['a body with 204', valid.replace('result:', 'status: 204, result:'), file, /204 has no body/],
  [
    'an unknown error code',
    valid.replace('result:', 'errors: ["oops"], result:'),
    file,
    /not a registered error code/,
  ],
  ['a broken example', valid.replace('result:', 'example: "{", result:'), file, /"example" is not JSON/],
  ['a syntax error', 'query listing {', file, /Syntax Error/],
])('a document is refused for %s', (_, text, name, message) => {
  expect(() => parseRouteDocument(name, text)).toThrow(message);
});

describe('a directory of documents', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'routes-'));
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
    writeFileSync(path.join(directory, name), text);
  };
  afterAll(() => rmSync(directory, { recursive: true }));

  test('a directory of documents is read whole, and every wrong file is named at once', () => {
    write(file, valid);
    write('identity/listing/other.graphql', valid);
    write('identity/user/me.graphql', 'query me { me }');
    expect(() => readRoutes(directory)).toThrow(InvalidRoutes);
    try {
      readRoutes(directory);
    } catch (error) {
      expect((error as InvalidRoutes).findings.map((finding) => finding.file)).toEqual([
        'identity/listing/other.graphql',
        'identity/user/me.graphql',
      ]);
    }
  });

  test('cannot state one method and pattern twice, whatever the parameter is called', () => {
    rmSync(directory, { recursive: true });
    write(file, valid);
    write(
      'identity/listing/twin.graphql',
      valid
        .replaceAll('listingId', 'twinId')
        .replace('query listing', 'query twin')
        .replace('listing(id', 'twin(id'),
    );
    expect(() => readRoutes(directory)).toThrow(/already stated by identity\/listing\/listing.graphql/);
  });
});

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { print } from 'graphql';
import { tempFolder } from '../../test/support/tempFolder.ts';
import { InvalidRoutes } from './Route.ts';
import { parseRouteDocument, readRoutes } from './readRoutes.ts';

const file = 'identity/listing/listing.graphql';
const valid = `query listing($listingId: ID!) @route(method: GET, path: "/api/v1/listings/{listingId}", result: "listing") {
  listing(id: $listingId) { id }
}`;

test('a route document is parsed to its route and a document without route directives', () => {
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

test('an operation with several @route directives has several routes', () => {
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
  [
    'an operation that is not named like its file',
    valid,
    'identity/listing/getListing.graphql',
    /must be named like its file/,
  ],
  [
    'a root field that is not named like its operation',
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
  ['a path of no interface', valid.replace('/api/v1/', '/v2/'), file, /belongs to no interface/],
  [
    'a path segment of a literal and a parameter',
    valid.replace('{listingId}"', 'x-{listingId}"'),
    file,
    /neither literal nor parameter/,
  ],
  ['a query with the method PUT', valid.replace('GET', 'PUT'), file, /a query cannot answer PUT/],
  ['no result', valid.replace(', result: "listing"', ''), file, /has no "result"/],
  ['a result with status 204', valid.replace('result:', 'status: 204, result:'), file, /204 has no body/],
  [
    'an unknown error code',
    valid.replace('result:', 'errors: ["oops"], result:'),
    file,
    /not a registered error code/,
  ],
  [
    'an example that is not JSON',
    valid.replace('result:', 'example: "{", result:'),
    file,
    /"example" is not JSON/,
  ],
  ['a syntax error', 'query listing {', file, /Syntax Error/],
])('parseRouteDocument refuses a document with %s', (_, text, name, message) => {
  expect(() => parseRouteDocument(name, text)).toThrow(message);
});

describe('a directory of route documents', () => {
  const directory = tempFolder();
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
    writeFileSync(path.join(directory, name), text);
  };

  test('is refused with all its invalid files together', () => {
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

  test('is refused with two routes of one method and path, though their parameters have different names', () => {
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

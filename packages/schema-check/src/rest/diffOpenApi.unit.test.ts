import { diffOpenApi } from './diffOpenApi.ts';

/** A document with one route, whose operation and components are given. */
const documentOf = (operation: object, components: object = {}) => ({
  paths: { '/a': { post: operation } },
  components,
});
const idsOf = (...[before, after]: Parameters<typeof diffOpenApi>) =>
  diffOpenApi(before, after).map(({ id }) => id);
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: object) => ({ type: 'object', properties });

test('moving a response into a component is no change, and moving a code between components is one', () => {
  const gone = { 'x-codes': ['gone'] };
  const responses = { Gone: gone, Other: {} };
  const [first, second] = ['Gone', 'Other'].map((name) => ({ $ref: `#/components/responses/${name}` }));
  const inline = documentOf({ responses: { 404: gone, 410: {} } });
  const shared = documentOf({ responses: { 404: first, 410: second } }, { responses });
  const moved = documentOf({ responses: { 404: second, 410: first } }, { responses });
  expect(idsOf(inline, shared)).toEqual([]);
  expect(idsOf(shared, moved)).toEqual(['problem-status-changed:POST /a 404 gone']);
});

test('replacing the credentials of a route is reported as stricter and as looser', () => {
  const [bearer, client] = [{ security: [{ bearer: [] }] }, { security: [{ client: [] }] }];
  expect(idsOf(documentOf(bearer), documentOf(client))).toEqual([
    'security-stricter:POST /a',
    'security-looser:POST /a',
  ]);
});

test('a document without paths reports every route as removed', () => {
  expect(idsOf(documentOf({}), {})).toEqual(['route-removed:POST /a']);
});

test('a change of a named schema is reported once for all responses, and a new name is no change', () => {
  const answers = (name: string, schema: object) =>
    documentOf(
      { responses: { 400: json(reference(name)), 404: json(reference(name)) } },
      { schemas: { [name]: schema } },
    );
  const before = answers('Problem', object({ id: { type: 'string' } }));
  expect(idsOf(before, answers('Problem', object({})))).toEqual([
    'response-property-removed:schemas/Problem id',
  ]);
  expect(idsOf(before, answers('Failure', object({ id: { type: 'string' } })))).toEqual([]);
  const inline = json(object({ id: { type: 'string' } }));
  expect(idsOf(before, documentOf({ responses: { 400: inline, 404: inline } }))).toEqual([]);
});

test('variants of a response are compared by their titles, not by the names of their schemas', () => {
  const forms = (prefix: string, type: string) => {
    const titled = ['Car', 'Boat'].map((title) => [
      `${prefix}${title}`,
      { ...object({ a: { type } }), title },
    ]);
    const anyOf = titled.map(([name]) => reference(String(name)));
    return documentOf({ responses: { 200: json({ anyOf }) } }, { schemas: Object.fromEntries(titled) });
  };
  expect(idsOf(forms('', 'string'), forms('My', 'string'))).toEqual([]);
  expect(idsOf(forms('', 'string'), forms('My', 'integer'))).toHaveLength(2);
});

test('compares a schema that contains itself once', () => {
  const recursive = (type: string) => {
    const children = { type: 'array', items: { anyOf: [reference('Tree'), { type: 'null' }] } };
    const schemas = { Tree: object({ value: { type }, children }) };
    return documentOf({ responses: { 200: json(reference('Tree')) } }, { schemas });
  };
  expect(idsOf(recursive('string'), recursive('integer'))).toEqual([
    'response-type-changed:schemas/Tree value',
  ]);
});

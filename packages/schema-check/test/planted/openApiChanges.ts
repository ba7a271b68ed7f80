import { editOpenApi, type Planted, planted } from './Planted.ts';

const api = editOpenApi;
const text = { type: 'string' };

/** A change of a part of the document that the type of the store's document does not allow. */
const set = (target: object, members: object) => Object.assign(target, members);

/** Changes of routes and of their JSON. */
export const openApiChanges: readonly Planted[] = [
  planted(
    'removes a method',
    api(({ paths }) => Reflect.deleteProperty(paths['/items/{id}'], 'delete')),
    ['breaking route-removed:DELETE /items/{id}'],
  ),
  planted(
    'moves a route',
    api(({ paths }) => {
      set(paths, { '/things': { get: paths['/items'].get } });
      Reflect.deleteProperty(paths['/items'], 'get');
    }),
    ['breaking route-moved:GET /items'],
  ),
  planted(
    'adds a route',
    api(({ paths }) => set(paths, { '/shops': { get: { responses: { 200: {} } } } })),
    ['safe route-added:GET /shops'],
  ),
  planted(
    'renames a parameter of a path',
    api(({ paths }) => {
      const { get, delete: remove } = paths['/items/{id}'];
      const parameters = [{ name: 'itemId', in: 'path', required: true, schema: text }];
      set(paths, { '/items/{itemId}': { get: { ...get, parameters }, delete: { ...remove, parameters } } });
      Reflect.deleteProperty(paths, '/items/{id}');
    }),
    [],
  ),
  planted(
    'removes a parameter of the query',
    api(({ paths }) => paths['/items'].get.parameters.splice(1, 1)),
    ['breaking parameter-removed:GET /items query:state'],
  ),
  planted(
    'removes a header of the request',
    api(({ paths }) => paths['/items'].get.parameters.splice(2, 1)),
    ['dangerous header-removed:GET /items header:X-Trace'],
  ),
  planted(
    'adds a required parameter',
    api(({ paths }) =>
      set(paths['/items'].get.parameters, { 3: { name: 'shop', in: 'query', required: true, schema: text } }),
    ),
    ['breaking required-parameter-added:GET /items query:shop'],
  ),
  planted(
    'lowers the maximum of a parameter',
    api(({ paths }) => set(paths['/items'].get.parameters[0]?.schema ?? {}, { maximum: 50 })),
    ['breaking request-bound-tightened:GET /items query:limit maximum'],
  ),
  planted(
    'refuses a value of a parameter',
    api(({ paths }) =>
      set(paths['/items'].get.parameters[1]?.schema ?? {}, { enum: ['draft', 'published'] }),
    ),
    ['breaking request-enum-narrowed:GET /items query:state "closed"'],
  ),
  planted(
    'requires credentials',
    api(({ paths }) => set(paths['/items'].get, { security: [{ bearer: [] }] })),
    ['breaking security-stricter:GET /items'],
  ),
  planted(
    'admits callers without credentials',
    api(({ paths }) => set(paths['/items'].post, { security: [] })),
    ['breaking security-looser:POST /items'],
  ),
  planted(
    'removes a success status',
    api(({ paths }) => Reflect.deleteProperty(paths['/items'].post.responses, '202')),
    ['breaking status-removed:POST /items 202'],
  ),
  planted(
    'adds a success status',
    api(({ paths }) => set(paths['/items'].get.responses, { 206: {} })),
    ['dangerous status-added:GET /items 206'],
  ),
  planted(
    'adds an error status',
    api(({ paths }) => set(paths['/items'].get.responses, { 409: {} })),
    ['safe error-status-added:GET /items 409'],
  ),
  planted(
    'removes a media type of a response',
    api(({ paths }) => Reflect.deleteProperty(paths['/items'].get.responses[200].content, 'text/csv')),
    ['breaking response-media-type-removed:GET /items 200 text/csv'],
  ),
  planted(
    'removes a header of a response',
    api(({ paths }) => set(paths['/items'].get.responses[200], { headers: {} })),
    ['breaking response-header-removed:GET /items 200 Link'],
  ),
  planted(
    'changes the name of an operation',
    api(({ paths }) => set(paths['/items'].get, { operationId: 'listItems' })),
    ['dangerous operation-id-changed:GET /items'],
  ),
  planted(
    'removes a member of a response',
    api(({ components }) => Reflect.deleteProperty(components.schemas.Item.properties, 'weight')),
    ['breaking response-property-removed:schemas/Item weight'],
  ),
  planted(
    'makes a member of a response optional',
    api(({ components }) => set(components.schemas.Item, { required: ['id', 'title'] })),
    ['breaking response-property-became-optional:schemas/Item state'],
  ),
  planted(
    'makes a member of a response nullable',
    api(({ components }) => set(components.schemas.Item.properties, { title: { type: ['string', 'null'] } })),
    ['breaking response-became-nullable:schemas/Item title'],
  ),
  planted(
    'changes the format of a member of a response',
    api(({ components }) => set(components.schemas.Item.properties.createdAt, { format: 'date' })),
    ['breaking response-format-changed:schemas/Item createdAt'],
  ),
  planted(
    'returns a further value',
    api(({ components }) => components.schemas.Item.properties.state.enum.push('sold')),
    ['dangerous response-enum-widened:schemas/Item state "sold"'],
  ),
  planted(
    'adds a member to a response',
    api(({ components }) => set(components.schemas.Item.properties, { height: text })),
    ['safe response-property-added:schemas/Item height'],
  ),
  planted(
    'adds a required member to a request',
    api(({ components }) => {
      set(components.schemas.CreateItem.properties, { shop: text });
      components.schemas.CreateItem.required.push('shop');
    }),
    ['breaking request-required-property-added:schemas/CreateItem shop'],
  ),
  planted(
    'adds an optional member to a request',
    api(({ components }) => set(components.schemas.CreateItem.properties, { shop: text })),
    ['safe request-property-added:schemas/CreateItem shop'],
  ),
  planted(
    'removes a member of a request',
    api(({ components }) => Reflect.deleteProperty(components.schemas.CreateItem.properties, 'tags')),
    ['breaking request-property-removed:schemas/CreateItem tags'],
  ),
  planted(
    'refuses null in a request',
    api(({ components }) => set(components.schemas.CreateItem.properties.weight, { type: 'integer' })),
    ['breaking request-null-refused:schemas/CreateItem weight'],
  ),
  planted(
    'shortens a text of a request',
    api(({ components }) => set(components.schemas.CreateItem.properties.title, { maxLength: 100 })),
    ['breaking request-bound-tightened:schemas/CreateItem title maxLength'],
  ),
  planted(
    'accepts a longer list in a request',
    api(({ components }) => set(components.schemas.CreateItem.properties.tags, { maxItems: 20 })),
    ['safe request-bound-relaxed:schemas/CreateItem tags maxItems'],
  ),
];

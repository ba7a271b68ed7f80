import { edit, type Planted, planted } from './Planted.ts';
import { store } from './store.ts';

/** Changes of registered operations. */
export const operationChanges: readonly Planted[] = [
  planted('selects a field that does not exist', edit('operations/item.graphql', ['rating', 'stars']), [
    'breaking document-invalid:operations/item.graphql',
  ]),
  planted(
    'sends an argument that does not exist',
    edit('operations/search.graphql', ['(text: $text)', '(text: $text, first: 1)']),
    ['breaking document-invalid:operations/search.graphql'],
  ),
  planted('sends a variable of the wrong type', edit('operations/item.graphql', ['$id: ID!', '$id: Int!']), [
    'breaking document-invalid:operations/item.graphql',
  ]),
  planted('contains a syntax error', { 'operations/search.graphql': 'query search {' }, [
    'breaking document-invalid:operations/search.graphql',
    'dangerous operation-removed:operations/search.graphql search',
  ]),
  planted('is a manifest that cannot be read', { 'operations/manifest.json': '[' }, [
    'breaking document-invalid:operations/manifest.json',
    'dangerous operation-removed:operations/manifest.json create',
    'dangerous operation-removed:operations/manifest.json list',
  ]),
  planted('is a file of another kind', { 'operations/notes.txt': 'To do.' }, [
    'breaking document-invalid:operations/notes.txt',
  ]),
  planted('is deleted', { 'operations/search.graphql': null }, [
    'dangerous operation-removed:operations/search.graphql search',
  ]),
  planted(
    'moves to another file',
    { 'operations/search.graphql': null, 'operations/find.graphql': store['operations/search.graphql'] },
    [],
  ),
  planted('is new', { 'operations/orders.graphql': 'query orders { orders { id total } }' }, []),
  planted(
    'stops selecting a field in the change that removes it, while old clients still send it',
    {
      ...edit('operations/item.graphql', [' rating', '']),
      ...edit('reviews.graphql', ['rating: Float ', '']),
    },
    ['breaking field-removed:Item.rating'],
  ),
];

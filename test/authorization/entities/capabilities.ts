import { owns } from '../matrix/rules.ts';
import type { Item, ItemName } from '../world/Item.ts';
import type { Who } from '../world/people.ts';
import type { EntityCell } from './EntityRow.ts';
import { hasScope, readsTexts, textScopes } from './readers.ts';

/** Whether a caller may edit the texts of an item. */
const worksOn = (who: Who, item: Item) =>
  owns(who, item) && hasScope(who, ...textScopes, ...(item.type === 'listing' ? ['listings:write'] : []));

export const capabilities = {
  ownerId: '',
  viewerCanRead: '',
  viewerCanEdit: '',
  viewerOnlyReads: '',
  contentVersion: '',
  content: '{ title }',
};

/** Expects the capabilities of readers and editors. An object of another installation is null. */
function expectCapabilities(entity: any, cell: EntityCell, canEdit: boolean, hidesContent = false): void {
  if (cell.item.where !== 'here') return expect(entity).toBeNull();
  const isReader = readsTexts(cell);
  const isPresent = (member: unknown) => member !== null;
  expect({
    ...entity,
    ownerId: isPresent(entity.ownerId),
    contentVersion: isPresent(entity.contentVersion),
    content: isPresent(entity.content),
  }).toEqual({
    ownerId: isReader,
    viewerCanRead: isReader,
    viewerCanEdit: canEdit,
    viewerOnlyReads: false,
    contentVersion: isReader,
    content: isReader && !hidesContent,
  });
}

export function checkCapabilities(entity: any, cell: EntityCell): void {
  expectCapabilities(entity, cell, worksOn(cell.who, cell.item));
}

export const files: readonly ItemName[] = [
  'media',
  'mediaPaper',
  'mediaPrivate',
  'mediaElsewhere',
  'mediaNever',
];

/** Only owners, moderators and translators can read an unused file. Only owners can read the texts of papers. */
export function checkFileCapabilities(entity: any, cell: EntityCell): void {
  const { who, item } = cell;
  const isPaper = item.name === 'mediaPaper';
  const canEdit = owns(who, item) && hasScope(who, 'media:write', ...(isPaper ? [] : textScopes));
  expectCapabilities(entity, cell, canEdit, isPaper);
}

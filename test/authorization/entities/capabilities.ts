import type { Item, ItemName } from '../Item.ts';
import type { Who } from '../people.ts';
import { owns } from '../rules.ts';
import type { EntityCell } from './EntityRow.ts';
import { hasScope, readsTexts, textScopes } from './readers.ts';

/** Whether the texts of an item are somebody's to work on. */
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

export function checkCapabilities(entity: any, cell: EntityCell): void {
  const { who, item } = cell;
  if (item.where !== 'here') return expect(entity).toBeNull();
  const isReader = readsTexts(cell);
  expect({
    ...entity,
    ownerId: entity.ownerId !== null,
    contentVersion: entity.contentVersion !== null,
    content: entity.content !== null,
  }).toEqual({
    ownerId: isReader,
    viewerCanRead: isReader,
    viewerCanEdit: worksOn(who, item),
    viewerOnlyReads: false,
    contentVersion: isReader,
    content: isReader,
  });
}

export const files: readonly ItemName[] = [
  'media',
  'mediaPaper',
  'mediaPrivate',
  'mediaElsewhere',
  'mediaNever',
];

/** A file that nothing shows is its owner's, the moderators', and theirs who translate; papers have no words for others. */
export function checkFileCapabilities(entity: any, cell: EntityCell): void {
  const { who, item } = cell;
  if (item.where !== 'here') return expect(entity).toBeNull();
  const isReader = readsTexts(cell);
  const isPaper = item.name === 'mediaPaper';
  expect({
    ...entity,
    ownerId: entity.ownerId !== null,
    contentVersion: entity.contentVersion !== null,
    content: entity.content !== null,
  }).toEqual({
    ownerId: isReader,
    viewerCanRead: isReader,
    viewerCanEdit: owns(who, item) && hasScope(who, 'media:write', ...(isPaper ? [] : textScopes)),
    viewerOnlyReads: false,
    contentVersion: isReader,
    content: isReader && !isPaper,
  });
}

import type { TranslationHead } from '../translation/model.ts';
import { electSource } from './electSource.ts';
import { announceGroup, closeGroup } from './groupWrites.ts';
import { announceTexts, placeRecord, type SystemWrite } from './membershipWrites.ts';

/**
 * What a member leaves behind: a group of one is no group, so its last member is alone and the group is closed;
 * several members get a source if they have lost theirs.
 *
 * @param rest the members that stay, the oldest first
 * @param left those that have left
 * @returns whether the group goes on
 */
export async function leaveGroup(
  write: SystemWrite,
  groupId: string,
  rest: readonly TranslationHead[],
  defaultCode: string,
  left: readonly TranslationHead[] = [],
): Promise<boolean> {
  if (rest.length < 2) {
    for (const alone of rest)
      await placeRecord(write, alone, { groupId: null, language: alone.language, isSource: false });
    await closeGroup(write, groupId, [...rest, ...left]);
    return false;
  }
  const source = electSource(rest, defaultCode);
  if (source && !source.isSource)
    await placeRecord(write, source, { groupId, language: source.language, isSource: true });
  await announceGroup(write, groupId, [...rest, ...left]);
  await announceTexts(write, rest);
  return true;
}

import type { TranslationHead } from '../translation/model.ts';
import { electSource } from './electSource.ts';
import { announceGroup, closeGroup } from './groupWrites.ts';
import { announceTexts, type Move, placeRecords, type SystemWrite } from './membershipWrites.ts';

/** Who leaves a group. */
export interface Departure {
  /** The members that stay, the oldest first. */
  readonly rest: readonly TranslationHead[];
  /** Those that leave, or have left. */
  readonly left: readonly TranslationHead[];
  /** Where those go that have not been written yet; in the same command as what becomes of the others. */
  readonly moves?: readonly Move[];
}

/**
 * What a member leaves behind: a group of one is no group, so its last member is alone and the group is closed;
 * several members get a source if they have lost theirs.
 *
 * @returns the members that go on as a group; empty when it is closed
 */
export async function leaveGroup(
  write: SystemWrite,
  groupId: string,
  { rest, left, moves = [] }: Departure,
  defaultCode: string,
): Promise<readonly TranslationHead[]> {
  if (rest.length < 2) {
    const alone = rest.map((record) => ({
      record,
      place: { groupId: null, language: record.language, isSource: false },
    }));
    await placeRecords(write, [...moves, ...alone]);
    await closeGroup(write, groupId, [...rest, ...left]);
    return [];
  }
  const source = electSource(rest, defaultCode);
  const elected =
    source && !source.isSource
      ? [{ record: source, place: { groupId, language: source.language, isSource: true } }]
      : [];
  const placed = await placeRecords(write, [...moves, ...elected]);
  await announceGroup(write, groupId, [...rest, ...left]);
  await announceTexts(write, rest);
  return rest.map((record) => placed.find(({ _id }) => _id === record._id) ?? record);
}

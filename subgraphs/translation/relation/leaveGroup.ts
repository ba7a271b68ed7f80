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

/** Whether a group ends when these are left of it: a group of one is no group. */
export function endsWith(rest: readonly TranslationHead[]): boolean {
  return rest.length < 2;
}

/**
 * What a member leaves behind, of a group whose version was raised: its last member is alone and the group is closed;
 * several members get a source if they have lost theirs.
 *
 * @returns the members that go on as a group; empty when it is closed
 */
export async function leaveGroup(
  write: SystemWrite,
  groupId: string,
  departure: Departure,
  defaultCode: string,
): Promise<readonly TranslationHead[]> {
  const staying = await placeRest(write, groupId, departure, defaultCode);
  const concerned = [...departure.rest, ...departure.left];
  if (staying.length === 0) await closeGroup(write, groupId, concerned);
  else await announceGroup(write, groupId, concerned);
  return staying;
}

/**
 * The same for the records alone, where the group itself was closed, or told of, when its version was raised.
 *
 * @returns the members that go on as a group; empty when it is closed
 */
export async function placeRest(
  write: SystemWrite,
  groupId: string,
  { rest, moves = [] }: Omit<Departure, 'left'>,
  defaultCode: string,
): Promise<readonly TranslationHead[]> {
  if (endsWith(rest)) {
    const alone = rest.map((record) => ({
      record,
      place: { groupId: null, language: record.language, isSource: false },
    }));
    await placeRecords(write, [...moves, ...alone]);
    return [];
  }
  const source = electSource(rest, defaultCode);
  const elected =
    source && !source.isSource
      ? [{ record: source, place: { groupId, language: source.language, isSource: true } }]
      : [];
  const placed = await placeRecords(write, [...moves, ...elected]);
  await announceTexts(write, rest);
  return rest.map((record) => placed.find(({ _id }) => _id === record._id) ?? record);
}

/** What an election looks at. */
export interface Elector {
  readonly language: string;
  readonly isSource: boolean;
}

/**
 * The source of a group after somebody has left or joined: the present one if it is still there, else the member in
 * the default language, else the oldest.
 *
 * @param members the oldest first
 */
export function electSource<E extends Elector>(members: readonly E[], defaultCode: string): E | undefined {
  return (
    members.find(({ isSource }) => isSource) ??
    members.find(({ language }) => language === defaultCode) ??
    members[0]
  );
}

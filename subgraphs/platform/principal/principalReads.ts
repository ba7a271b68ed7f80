import type { PrincipalVerdict } from './PrincipalVerdict.ts';
import type { TokenFacts } from './Viewer.ts';

interface Read {
  readonly token: TokenFacts;
  readonly verdict: Promise<PrincipalVerdict>;
}

/** Pending reads of principals that no later change has made outdated. */
export interface PrincipalReads {
  /** Returns a pending read for the same token; undefined if there is no reliable one. */
  find(token: TokenFacts): Promise<PrincipalVerdict> | undefined;
  /**
   * Registers a read.
   *
   * @param keep called with the result, unless it became outdated meanwhile
   */
  begin(read: Read, keep: (verdict: PrincipalVerdict) => void): Promise<PrincipalVerdict>;
  /** Marks reads as outdated, because they may return an earlier state. */
  doubt(isMeant: (token: TokenFacts) => boolean): void;
}

export function createPrincipalReads(): PrincipalReads {
  const reads = new Set<Read>();
  return {
    find(wanted) {
      for (const { token, verdict } of reads) if (isAlike(token, wanted)) return verdict;
      return undefined;
    },
    begin(read, keep) {
      reads.add(read);
      return read.verdict
        .then((verdict) => {
          if (reads.has(read)) keep(verdict);
          return verdict;
        })
        .finally(() => reads.delete(read));
    },
    doubt(isMeant) {
      for (const read of reads) if (isMeant(read.token)) reads.delete(read);
    },
  };
}

function isAlike(one: TokenFacts, other: TokenFacts): boolean {
  return (
    one.sessionId === other.sessionId &&
    one.subject === other.subject &&
    one.installationId === other.installationId
  );
}

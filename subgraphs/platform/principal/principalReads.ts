import type { PrincipalVerdict } from './PrincipalVerdict.ts';
import type { TokenFacts } from './Viewer.ts';

interface Read {
  readonly token: TokenFacts;
  readonly verdict: Promise<PrincipalVerdict>;
}

/** Reads of principals that are under way, as long as nothing has changed that they may have missed. */
export interface PrincipalReads {
  /** A read for the same token; undefined where none is under way that can be trusted. */
  find(token: TokenFacts): Promise<PrincipalVerdict> | undefined;
  /** @param keep called with what was read, unless it was doubted meanwhile */
  begin(read: Read, keep: (verdict: PrincipalVerdict) => void): Promise<PrincipalVerdict>;
  /** What they will answer may be what was before. */
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

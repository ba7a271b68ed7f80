import { globSync } from 'node:fs';

/** A part of the product, and the tests of its behaviour. */
export interface Folder {
  readonly name: string;
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

const identity = 'subgraphs/identity';
const platform = 'subgraphs/platform';

/** Mutated files, as patterns. Models, schemas and resolvers are covered by the contract tests. */
const patterns: readonly Folder[] = [
  {
    name: 'guards',
    files: [
      `${platform}/auth/{assertNetwork,checkGuard,guardField,guardSchema,ownership}.ts`,
      `${platform}/principal/{Viewer,holdersAmong}.ts`,
    ],
    tests: [`${platform}/{auth,principal}/*.test.ts`],
  },
  {
    name: 'tokens',
    files: [
      `${platform}/token/{KeySet,VerificationKey,compactToken,readClaims,verifyToken}.ts`,
      `${platform}/credentials/{readBearerToken,refreshToken}.ts`,
    ],
    tests: [`${platform}/{token,credentials}/*.test.ts`],
  },
  {
    name: 'idempotency',
    files: [`${platform}/idempotency/{claim,finalAnswers,honourKeys,once}.ts`],
    tests: [`${platform}/idempotency/*.test.ts`],
  },
  {
    name: 'decisions',
    files: [
      `${identity}/payments/payment/progress/{decide,decisionTable}.ts`,
      `${identity}/payments/payment/record/feeOf.ts`,
      `${identity}/payments/refund/feeShare.ts`,
    ],
    tests: [`${identity}/payments/payment/*/*.unit.test.ts`, `${identity}/payments/refund/*.unit.test.ts`],
  },
  {
    name: 'payment',
    files: [
      `${identity}/payments/payment/order/{checkOrder,deposits,priceOf}.ts`,
      `${identity}/payments/payment/progress/{applyProviderState,carryOutOperations,resumePayment}.ts`,
    ],
    tests: [
      `${identity}/payments/payment/*.test.ts`,
      `${identity}/payments/payment/*/*.test.ts`,
      `${identity}/payments/payment-event/*.test.ts`,
    ],
  },
  {
    name: 'refund',
    files: [`${identity}/payments/refund/{postRefund,refundSteps,reserveRefund,settleRefund}.ts`],
    tests: [
      `${identity}/payments/{refund,dispute,chargeback}/*.test.ts`,
      `${identity}/payments/payment/manual.test.ts`,
      'test/money/failedRefunds.test.ts',
    ],
  },
  {
    name: 'dispute',
    files: [
      `${identity}/payments/dispute/{endDispute,isEvidenceFor,openDispute,postDispute,resolveDispute}.ts`,
    ],
    tests: [`${identity}/payments/dispute/*.test.ts`],
  },
  {
    name: 'chargeback',
    files: [`${identity}/payments/chargeback/{bookMovement,chargebackSteps,findChargebacks}.ts`],
    tests: [`${identity}/payments/chargeback/*.test.ts`],
  },
  {
    name: 'payout',
    files: [
      `${identity}/payments/payout/{cancelPayout,holdPayout,payoutSteps,payoutTransaction,requestPayout,scheduledPayouts,settlePayout}.ts`,
    ],
    tests: [`${identity}/payments/payout/*.test.ts`],
  },
  {
    name: 'ledger',
    files: [
      `${identity}/payments/ledger/{accounts,assertBalanced,checkAdjustment,inLedgerTransaction,postCapture,postTransaction,proveLedger,releaseEarnings}.ts`,
    ],
    tests: [`${identity}/payments/ledger/*.test.ts`],
  },
  {
    name: 'jobs',
    files: [`${platform}/jobs/{dueJob,forwardSignals,lease,startJobs}.ts`, `${platform}/context/signals.ts`],
    tests: [`${platform}/jobs/*.test.ts`],
  },
  {
    name: 'audits',
    files: ['subgraphs/seo/audits/job/reduce.ts'],
    tests: ['subgraphs/seo/audits/job/*.test.ts'],
  },
  {
    name: 'relations',
    files: [
      'subgraphs/translation/records/memberships/{changeMemberships,memberships}.ts',
      'subgraphs/translation/relations/relation/{link,mergeRelationGroups,planLink}.ts',
    ],
    tests: [
      'subgraphs/translation/relations/{erasure,group,relation}/*.test.ts',
      'subgraphs/translation/feed/{event,textEvents}.test.ts',
    ],
  },
];

/** Resolves the patterns to files. */
export function readScope(): readonly Folder[] {
  return patterns.map(({ name, files, tests }) => ({
    name,
    files: find(files),
    tests: find(tests).filter((file) => !/\.(?:nightly|product)\.test\.ts$/.test(file)),
  }));
}

/** @throws Error if a pattern, or one name of its list in braces, matches no file */
function find(all: readonly string[]): readonly string[] {
  return all.flatMap(listPatterns).flatMap((pattern) => {
    const found = globSync(pattern).toSorted();
    if (found.length === 0) throw new Error(`No file matches ${pattern}.`);
    return found;
  });
}

/** One pattern for each name in braces, because a pattern of several names ignores a name without a file. */
function listPatterns(pattern: string): readonly string[] {
  const [, before, names, after] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  return names?.split(',').map((name) => `${before}${name}${after}`) ?? [pattern];
}

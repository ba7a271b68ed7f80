import path from 'node:path';
import type { Test } from '@jest/reporters';

/** Limits of a test command, in seconds of elapsed time of test files. */
export interface Budget {
  /** Budget of one file. */
  readonly file?: number;
  /** Budget of all files together. */
  readonly total?: number;
  /** Median of the files on the machine for which the budget is stated. Without it, CI accepts any time. */
  readonly median?: number;
  /** Minimum number of files, because a wrong pattern would find none and pass. */
  readonly files?: number;
}

/** CI fails at this multiple of a budget, because two runs on one machine differ. */
const tolerance = 2;

/** A reporter is constructed with the settings of the run. */
interface Run {
  readonly testPathPatterns: { readonly patterns: readonly string[] };
  readonly testNamePattern?: string;
}

/**
 * Reporter that prints which files take longer than their budget. A run of all files under the variable `CI` fails if
 * one takes twice as long, on a slower machine in proportion: the median of the run shows how slow the machine is. A
 * run of selected files (a folder, `-t`) is held to the budget of a file, and does not fail.
 */
export default class FileBudget {
  readonly #isWhole: boolean;
  readonly #budget: Budget;
  /** Exceeded budgets, and the highest multiple. */
  readonly #excesses: { readonly text: string; readonly times: number }[] = [];
  readonly #startedAt = new Map<string, number>();
  readonly #seconds = new Map<string, number>();
  /** The clock, in milliseconds. */
  now = (): number => performance.now();

  constructor({ testPathPatterns, testNamePattern }: Run, budget: Budget) {
    this.#isWhole = testPathPatterns.patterns.length === 0 && !testNamePattern;
    this.#budget = budget;
  }

  onTestFileStart({ path: file }: Pick<Test, 'path'>): void {
    this.#startedAt.set(file, this.now());
  }

  onTestFileResult({ path: file }: Pick<Test, 'path'>): void {
    this.#seconds.set(file, (this.now() - (this.#startedAt.get(file) ?? 0)) / 1000);
  }

  onRunComplete(): void {
    const { file: limit = Infinity, total = Infinity, files = 0 } = this.#budget;
    for (const [file, took] of this.#seconds) this.#hold(path.relative(process.cwd(), file), took, limit);
    if (this.#isWhole) {
      const sum = [...this.#seconds.values()].reduce((before, took) => before + took, 0);
      process.stderr.write(
        `Test files took ${sum.toFixed(0)} s together, half of them less than ${this.#median().toFixed(2)} s each.\n`,
      );
      this.#hold('All files', sum, total);
      if (this.#seconds.size < files) {
        const text = `${this.#seconds.size} files ran; at least ${files} are expected.`;
        this.#excesses.push({ text, times: Infinity });
      }
    }
    for (const { text } of this.#excesses) process.stderr.write(`${text}\n`);
  }

  getLastError(): Error | undefined {
    if (!process.env.CI || !this.#isWhole) return undefined;
    const { median = 0 } = this.#budget;
    const slowness = Math.max(1, this.#median() / median);
    const faults = this.#excesses.filter(({ times }) => times >= tolerance * slowness);
    return faults.length === 0 ? undefined : new Error(faults.map(({ text }) => text).join('\n'));
  }

  #hold(what: string, took: number, limit: number): void {
    if (took <= limit) return;
    const text = `${what} took ${took.toFixed(1)} s; the budget is ${limit} s.`;
    this.#excesses.push({ text, times: took / limit });
  }

  #median(): number {
    const sorted = [...this.#seconds.values()].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  }
}

import path from 'node:path';
import type { Test } from '@jest/reporters';

/** Limits of a test command, in seconds of elapsed time of test files. */
interface Budget {
  /** Of one file. */
  readonly file?: number;
  /** Of all files together. */
  readonly total?: number;
  /** Files that the command must find at least; a wrong pattern would pass on nothing. */
  readonly files?: number;
}

/** CI fails at this multiple of a budget, because its machines differ in speed. */
const tolerance = 6;

/**
 * Reporter that prints which files take longer than their budget, and fails CI (variable `CI`) where they take six times as
 * long. A run of selected files (a folder, `-t`) is held to the budget of a file only.
 */
export default class FileBudget {
  readonly #isWhole: boolean;
  readonly #budget: Budget;
  /** What is over budget, and by what multiple. */
  readonly #excesses: { readonly text: string; readonly times: number }[] = [];
  readonly #startedAt = new Map<string, number>();
  readonly #seconds = new Map<string, number>();

  constructor(
    globalConfig: { testPathPatterns: { patterns: readonly string[] }; testNamePattern?: string },
    budget: Budget,
  ) {
    this.#isWhole = globalConfig.testPathPatterns.patterns.length === 0 && !globalConfig.testNamePattern;
    this.#budget = budget;
  }

  onTestFileStart({ path: file }: Test): void {
    this.#startedAt.set(file, performance.now());
  }

  onTestFileResult({ path: file }: Test): void {
    this.#seconds.set(file, (performance.now() - (this.#startedAt.get(file) ?? 0)) / 1000);
  }

  onRunComplete(): void {
    const { file: limit = Infinity, total = Infinity, files = 0 } = this.#budget;
    for (const [file, took] of this.#seconds) this.#hold(path.relative(process.cwd(), file), took, limit);
    if (this.#isWhole) {
      const sum = [...this.#seconds.values()].reduce((before, took) => before + took, 0);
      process.stderr.write(`Test files took ${sum.toFixed(0)} s together.\n`);
      this.#hold('All files', sum, total);
      if (this.#seconds.size < files) {
        const text = `${this.#seconds.size} files ran; at least ${files} are expected.`;
        this.#excesses.push({ text, times: Infinity });
      }
    }
    for (const { text } of this.#excesses) process.stderr.write(`${text}\n`);
  }

  getLastError(): Error | undefined {
    const least = process.env.CI ? tolerance : Infinity;
    const faults = this.#excesses.filter(({ times }) => times >= least);
    return faults.length === 0 ? undefined : new Error(faults.map(({ text }) => text).join('\n'));
  }

  #hold(what: string, took: number, limit: number): void {
    if (took <= limit) return;
    const text = `${what} took ${took.toFixed(1)} s; the budget is ${limit} s.`;
    this.#excesses.push({ text, times: took / limit });
  }
}

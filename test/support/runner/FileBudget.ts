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

/**
 * Reporter that fails a run whose files take longer than their budget. A run of selected files (a folder, `-t`) is held
 * to the budget of a file only.
 */
export default class FileBudget {
  readonly #isWhole: boolean;
  readonly #budget: Budget;
  readonly #faults: string[] = [];
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
    for (const [file, took] of this.#seconds)
      if (took > limit)
        this.#faults.push(`${shorten(file)} took ${took.toFixed(1)} s; the budget of a file is ${limit} s.`);
    if (this.#isWhole) this.#checkWhole({ total, files });
    if (this.#faults.length > 0) process.stderr.write(`Over budget:\n${this.#faults.join('\n')}\n`);
  }

  #checkWhole({ total, files }: { total: number; files: number }): void {
    const sum = [...this.#seconds.values()].reduce((before, took) => before + took, 0);
    process.stderr.write(`Test files took ${sum.toFixed(0)} s together.
`);
    if (sum > total) this.#faults.push(`All files took ${sum.toFixed(0)} s; their budget is ${total} s.`);
    if (this.#seconds.size < files)
      this.#faults.push(`${this.#seconds.size} files ran; at least ${files} are expected.`);
  }

  getLastError(): Error | undefined {
    return this.#faults.length === 0 ? undefined : new Error(this.#faults.join('\n'));
  }
}

function shorten(file: string): string {
  return path.relative(process.cwd(), file);
}

/** Source of a contract's files: a folder, a commit, or a URL. */
export interface Source {
  /** Name in the report, as in `main` or `https://api.example.com/contract/`. */
  readonly name: string;
  /** Hash of the commit; null if the source is not a commit. */
  readonly commit: string | null;
  /** Returns the text of a file, null if the source does not have it. */
  read(file: string): Promise<string | null>;
  /** Returns the files that match the globs, null if the source cannot list its files. */
  list(globs: readonly string[]): Promise<string[] | null>;
}

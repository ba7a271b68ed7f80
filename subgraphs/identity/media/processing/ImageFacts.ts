/** What the header of an image says. */
export interface ImageFacts {
  width: number;
  height: number;
  /** 1 for a still one. */
  frames: number;
}

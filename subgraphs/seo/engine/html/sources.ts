/** State of the reader. Offsets `text…` count in the extracted text, `html…` in the submitted HTML. */
export interface HeadingSource {
  level: number;
  textStart: number;
  textEnd: number;
  htmlStart: number;
  htmlEnd: number;
  /** The alternative texts of images inside. */
  imageText: string;
}

export interface LinkSource {
  href: string | null;
  rel: string;
  /** `<a name>` or `<a id>`: a target to jump to, not a broken link. */
  isTarget: boolean;
  textStart: number;
  textEnd: number;
  htmlStart: number;
  htmlEnd: number;
  imageText: string;
}

export interface ImageSource {
  src: string;
  alt: string | null;
  /** Marked as decoration for assistive technology. */
  decorative: boolean;
  htmlStart: number;
  htmlEnd: number;
}

export interface StructuredDataSource {
  json: string;
  htmlStart: number;
}

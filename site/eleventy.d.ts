/** The part of Eleventy that the site uses; the package has no types. */
declare module '@11ty/eleventy' {
  export interface UserConfig {
    addGlobalData(name: string, value: unknown): void;
    addFilter(name: string, filter: (value: string) => string): void;
    addPassthroughCopy(paths: Readonly<Record<string, string>>): void;
    addTransform(
      name: string,
      transform: (this: { page: { url: string; outputPath: string } }, content: string) => string,
    ): void;
    setIncludesDirectory(folder: string): void;
  }

  export default class Eleventy {
    constructor(
      input: string,
      output: string,
      options: { quietMode: boolean; configPath: null; config: (eleventyConfig: UserConfig) => void },
    );
    write(): Promise<unknown>;
  }
}

/** From the comments of the element classes; how a class happens to dispatch its events inside is not what a page listens for. */
export default {
  globs: ['src/elements/**/*.ts'],
  outdir: 'dist',
  litelement: true,
  quiet: true,
  plugins: [
    {
      name: 'events-with-names',
      packageLinkPhase({ customElementsManifest }) {
        const declarations = customElementsManifest.modules.flatMap(module => module.declarations ?? []);
        for (const declaration of declarations) {
          if (declaration.events) declaration.events = declaration.events.filter(({ name }) => name?.startsWith('pa-'));
        }
      },
    },
  ],
};

import { generateJetBrainsWebTypes } from 'custom-element-jet-brains-integration';
import { generateVsCodeCustomElementData } from 'custom-element-vs-code-integration';

const outdir = 'dist';
const publicTags = ['pa-session', 'pa-dashboard', 'pa-report', 'pa-chat', 'pa-workspace', 'pa-workbook'];

/** Returns the part of a manifest that describes the public elements. */
function publicPart(manifest) {
  const modules = manifest.modules.map(module => ({
    ...module,
    declarations: (module.declarations ?? []).filter(({ tagName }) => publicTags.includes(tagName)),
  }));
  return { ...manifest, modules: modules.filter(({ declarations }) => declarations.length > 0) };
}

/** From the comments of the element classes; how a class happens to dispatch its events inside is not what a page listens for. */
export default {
  globs: ['src/elements/**/*.ts'],
  outdir,
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
    {
      name: 'editor-data',
      packageLinkPhase({ customElementsManifest }) {
        const manifest = publicPart(customElementsManifest);
        generateVsCodeCustomElementData(manifest, { outdir, hideLogs: true });
        generateJetBrainsWebTypes(manifest, { outdir, hideLogs: true, packageJson: false });
      },
    },
  ],
};

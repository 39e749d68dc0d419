import { exportHandler } from 'pa-embed/node';

const { PA_BASE_URL = '', PA_ADMIN_KEY = '' } = process.env;

const exports = exportHandler({
  baseUrl: PA_BASE_URL,
  apiKey: PA_ADMIN_KEY,
  // Replace this with the user of the host's own session.
  grantFor: () => ({
    deploymentId: 1,
    externalId: 'rosa',
    securityContext: { airport: 'ORD' },
    roles: ['AIBIViewer'],
  }),
});

export { exports as DELETE, exports as GET, exports as POST };

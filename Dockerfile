# Image of the platform, built from this repository. docs/deployment.md describes it.

FROM node:20-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && mkdir /packages && npm pack --pack-destination /packages . ./dist-platform

FROM node:20-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /packages /packages
# git stores the models of deployments, and reaches git hosts with the certificates or over SSH.
RUN apt-get update && apt-get install -y --no-install-recommends git ca-certificates openssh-client && rm -rf /var/lib/apt/lists/* \
  && npm init -y > /dev/null \
  && npm install --ignore-scripts /packages/*.tgz \
  && npm cache clean --force \
  && rm -r /packages \
  && install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 4100
# Requires `serve --ops-port 4101`. The listener for probes is reachable inside the container only.
HEALTHCHECK --interval=10s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:4101/readyz').then(response => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "node_modules/pa-embed-platform/pa-platform.js"]
CMD ["--help"]

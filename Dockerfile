# The image `app` (the last stage, hence the default) runs the gateway, the workers and the
# migrations. The image `local` runs the stand-ins for third parties, and the seed; `offsite` sends backups off
# the machine.
#
# For `app`, programs run on the builder's own platform only: what they make is the same on every platform, so
# an image for another one needs no emulation.
FROM --platform=$BUILDPLATFORM node:24-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY frontend/package.json frontend/
COPY gateway/package.json gateway/
COPY services/package.json services/
COPY workers/package.json workers/
COPY operators/package.json operators/
COPY stripe-stand-in/package.json stripe-stand-in/
COPY local/package.json local/
COPY tests/package.json tests/
COPY bench/package.json bench/
# Not `npm ci`: docs/decisions/0001-node-is-installed-from-npm.md
ENV NPM_INSTALL="npm install --ignore-scripts --no-save --no-audit --no-fund --loglevel=error"


FROM manifests AS frontend
RUN --mount=type=cache,target=/root/.npm $NPM_INSTALL --omit=dev --workspace frontend
COPY contract contract
COPY frontend frontend
RUN NODE_ENV=production npm run build --workspace frontend


# Without optional packages: Node itself, which the image has, and parts of the Firebase SDK that are not used
# here. Source maps and types, more than half of the rest, are not read at run time.
FROM manifests AS dependencies
RUN --mount=type=cache,target=/root/.npm $NPM_INSTALL --omit=dev --omit=optional \
    --workspace gateway --workspace services --workspace workers --workspace operators \
    && find . -type f -regextype posix-extended -regex '.*(\.map|\.d\.[cm]?ts)' -delete
# Also without @types, the packages' own tests, and the workspaces for development.
RUN rm -rf stripe-stand-in local tests bench node_modules/@types \
    && find . -type f -regextype posix-extended -regex '.*\.test\.[cm]?[jt]s' -delete
# Native code would be that of the builder's platform.
RUN ! find . -name '*.node' | grep .


FROM manifests AS local-dependencies
RUN --mount=type=cache,target=/root/.npm $NPM_INSTALL --omit=dev --omit=optional \
    --workspace services --workspace stripe-stand-in --workspace local


FROM node:24-slim AS local
WORKDIR /app
ENV NODE_ENV=development
# A volume that is mounted here inherits the owner.
RUN install -d -o node -g node /data
COPY --from=local-dependencies /app ./
COPY contract contract
COPY services services
COPY stripe-stand-in stripe-stand-in
COPY local local
USER node
# Healthy when the stand-in answers anything on its port.
HEALTHCHECK --interval=5s --timeout=10s --start-period=120s CMD ["node", "-e", \
    "require('http').get(`http://127.0.0.1:${process.env.PORT}`, () => process.exit(0))"]


# The image of `backup` and restic: the same user owns the volume of the backups.
FROM postgres:18-alpine AS offsite
RUN apk add --no-cache restic


FROM node:24-slim AS app
LABEL org.opencontainers.image.title="Prøveklar" \
    org.opencontainers.image.description="Practise for the Norwegian civics exam: gateway, workers and migrations." \
    org.opencontainers.image.licenses="LicenseRef-Proprietary"
WORKDIR /app
# The workspaces in node_modules are links to the folders beside it. They must stay links: Node
# strips no types inside node_modules. Everything belongs to root, so the process cannot change it.
COPY --from=dependencies /app ./
COPY migrations migrations
COPY contract contract
COPY services services
COPY gateway gateway
COPY workers workers
COPY operators operators
COPY --from=frontend /app/frontend/dist frontend/dist
# The release of the question bank that the portal offers, and its glossary.
COPY local/seed/questions/*.json local/seed/questions/glossary.csv local/seed/questions/
COPY local/seed/questions/images local/seed/questions/images
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 FRONTEND_DIR=/app/frontend/dist
# V8 sizes its heap by the memory of the host; see local/processes.ts.
ENV NODE_OPTIONS="--max-old-space-size=512 --max-semi-space-size=8"
USER node
EXPOSE 3000
# The readiness check, of the workers on their admin port, which only they have set. Each check starts a
# program: the interval keeps the cost low, and the timeout allows for a busy host.
HEALTHCHECK --interval=5s --timeout=10s --start-period=120s CMD ["node", "-e", \
    "require('http').get(`http://127.0.0.1:${process.env.OPERATORS_PORT ?? process.env.PORT}/health/ready`, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))"]
# Node receives the signals directly, without npm or a shell in between.
CMD ["node", "gateway/server.ts"]

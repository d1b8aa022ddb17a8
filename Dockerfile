# The image `app` (the last stage, hence the default) runs the gateway, the workers and the
# migrations. The image `local` runs the stand-ins that need no account anywhere, and the seed.
FROM node:24-slim AS manifests
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
ENV NPM_INSTALL="npm install --no-save --no-audit --no-fund --loglevel=error"


FROM manifests AS frontend
RUN --mount=type=cache,target=/root/.npm $NPM_INSTALL --omit=dev --workspace frontend
COPY contract contract
COPY frontend frontend
RUN NODE_ENV=production npm run build --workspace frontend


# What is optional is Node itself, which the image has, and parts of the Firebase SDK for products
# that are not used here. More than half of the rest are source maps and types, which nothing reads
# at run time.
FROM manifests AS dependencies
RUN --mount=type=cache,target=/root/.npm $NPM_INSTALL --omit=dev --omit=optional \
    --workspace gateway --workspace services --workspace workers --workspace operators \
    && find . -type f -regextype posix-extended -regex '.*(\.map|\.d\.[cm]?ts)' -delete
# Nor types without code, the packages' own tests, and the workspaces that only developers have.
RUN rm -rf stripe-stand-in local tests bench node_modules/@types \
    && find . -type f -regextype posix-extended -regex '.*\.test\.[cm]?[jt]s' -delete


FROM manifests AS local-dependencies
RUN --mount=type=cache,target=/root/.npm $NPM_INSTALL --omit=dev --omit=optional \
    --workspace services --workspace stripe-stand-in --workspace local


FROM node:24-slim AS local
WORKDIR /app
ENV NODE_ENV=development
# A volume that is mounted here takes over the owner.
RUN install -d -o node -g node /data
COPY --from=local-dependencies /app ./
COPY contract contract
COPY services services
COPY stripe-stand-in stripe-stand-in
COPY local local
USER node
# Any answer on the port that a stand-in was given.
HEALTHCHECK --interval=5s --timeout=10s --start-period=120s CMD ["node", "-e", \
    "require('http').get(`http://127.0.0.1:${process.env.PORT}`, () => process.exit(0))"]


FROM node:24-slim AS app
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
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 FRONTEND_DIR=/app/frontend/dist
# V8 lets its heap grow with the memory of the machine; see local/processes.ts.
ENV NODE_OPTIONS="--max-old-space-size=512 --max-semi-space-size=8"
USER node
EXPOSE 3000
# The workers answer on their operators' port, which only they are given. Each check starts a program:
# seldom enough to cost little, and with time enough on a machine that is busy.
HEALTHCHECK --interval=5s --timeout=10s --start-period=120s CMD ["node", "-e", \
    "require('http').get(`http://127.0.0.1:${process.env.OPERATORS_PORT ?? process.env.PORT}/health/ready`, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))"]
# Node is given the signals itself: no npm and no shell stands between.
CMD ["node", "gateway/server.ts"]

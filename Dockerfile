# syntax=docker/dockerfile:1
# docker build -t earshot .                              for this machine
# docker buildx build --platform linux/arm64 -t earshot . for another
# Nothing in the image is compiled for a processor but Node, which the base brings.
ARG BASE=docker.io/library/node:24-bookworm-slim

FROM ${BASE} AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts --omit=dev && node tools/package/stage.mjs /app --without-node

FROM ${BASE}
COPY --from=build /app /app
RUN mkdir -p /data /music && chown 10001:10001 /data
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MUSIC_DIR=/app/music
# Compiled code is cached here where it can be written; the root may be read-only.
ENV NODE_COMPILE_CACHE=/tmp/compiled
USER 10001:10001
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.PORT||3000)+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["/app/earshot"]

{{/* A pod of the StatefulSet or the Deployment. */}}
{{- define "lastcard.pod" -}}
metadata:
  labels:
    {{- include "lastcard.labels" . | nindent 4 }}
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with include "lastcard.podAnnotations" . }}
  annotations:
    {{- . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  {{- with .Values.serviceAccount.name }}
  serviceAccountName: {{ . }}
  {{- end }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  terminationGracePeriodSeconds: {{ include "lastcard.terminationSeconds" . }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: lastcard
      {{- include "lastcard.container" . | nindent 6 }}
  volumes:
    {{- include "lastcard.volumes" . | nindent 4 }}
  {{- if and .Values.spread .Values.store.postgres.existingSecret }}
  topologySpreadConstraints:
    {{- include "lastcard.spread" . | trim | nindent 4 }}
  {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* The server's container without its name. */}}
{{- define "lastcard.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
args:
  {{- include "lastcard.args" . | nindent 2 }}
{{- with .Values.store.postgres }}
{{- if .existingSecret }}
env:
  # Not an argument: those can be read in the list of processes.
  - name: LASTCARD_STORE
    valueFrom:
      secretKeyRef:
        name: {{ .existingSecret }}
        key: {{ .secretKey }}
  {{- if .ca.existingSecret }}
  - name: PGSSLMODE
    value: verify-full
  - name: PGSSLROOTCERT
    value: /etc/lastcard/store/ca.crt
  {{- end }}
{{- end }}
{{- end }}
ports:
  - name: grpc
    containerPort: 50051
  - name: health
    containerPort: {{ .Values.health.port }}
  {{- if .Values.metrics.enabled }}
  - name: metrics
    containerPort: {{ .Values.metrics.port }}
  {{- end }}
startupProbe:
  grpc:
    port: {{ .Values.health.port }}
  periodSeconds: 2
  failureThreshold: 60
readinessProbe:
  grpc:
    port: {{ .Values.health.port }}
  periodSeconds: 5
livenessProbe:
  grpc:
    port: {{ .Values.health.port }}
    service: liveness
  periodSeconds: 10
  failureThreshold: 6
{{- if .Values.store.postgres.existingSecret }}
lifecycle:
  preStop:
    # The pod leaves the Services while it still takes calls.
    exec:
      command: [sleep, {{ .Values.preStopSeconds | quote }}]
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
resources:
  {{- toYaml .Values.resources | nindent 2 }}
volumeMounts:
  - name: state
    mountPath: /var/lib/lastcard
  - name: organiser-key
    mountPath: /etc/lastcard/organiser
    readOnly: true
  {{- if .Values.serverKeys.existingSecret }}
  - name: server-keys
    mountPath: /etc/lastcard/server
    readOnly: true
  {{- end }}
  {{- if .Values.tls.existingSecret }}
  - name: tls
    mountPath: /etc/lastcard/tls
    readOnly: true
  {{- end }}
  {{- if .Values.store.postgres.ca.existingSecret }}
  - name: store-ca
    mountPath: /etc/lastcard/store
    readOnly: true
  {{- end }}
{{- end }}

{{/* The arguments of `lastcard`. */}}
{{- define "lastcard.args" -}}
- serve
- --host=0.0.0.0
- --port=50051
- --health-port={{ .Values.health.port }}
{{- if .Values.metrics.enabled }}
- --metrics-port={{ .Values.metrics.port }}
{{- end }}
- --state-dir=/var/lib/lastcard
{{- if not .Values.store.postgres.existingSecret }}
- --store=sqlite:/var/lib/lastcard/journal.sqlite
{{- end }}
- --organiser-key=/etc/lastcard/organiser/{{ .Values.organiserKey.secretKey }}
{{- if .Values.serverKeys.existingSecret }}
- --server-keys=/etc/lastcard/server/{{ .Values.serverKeys.secretKey }}
{{- end }}
{{- if .Values.insecure }}
- --insecure
{{- else }}
- --tls-cert=/etc/lastcard/tls/tls.crt
- --tls-key=/etc/lastcard/tls/tls.key
{{- end }}
- --grace={{ .Values.graceSeconds }}
- --live-matches-per-key={{ .Values.quotas.liveMatchesPerKey }}
- --streams-per-key={{ .Values.quotas.streamsPerKey }}
- --keep-days={{ .Values.keepDays }}
{{- with .Values.engineRevision }}
- --engine-revision={{ . }}
{{- end }}
{{- range .Values.extraArgs }}
- {{ . | quote }}
{{- end }}
{{- end }}

{{/* The pod's volumes. */}}
{{- define "lastcard.volumes" -}}
- name: state
  {{- if .Values.store.postgres.existingSecret }}
  emptyDir: {}
  {{- else }}
  persistentVolumeClaim:
    claimName: {{ .Values.persistence.existingClaim | default (include "lastcard.fullname" .) }}
  {{- end }}
- name: organiser-key
  secret:
    secretName: {{ .Values.organiserKey.existingSecret }}
    defaultMode: 0440
{{- if .Values.serverKeys.existingSecret }}
- name: server-keys
  secret:
    secretName: {{ .Values.serverKeys.existingSecret }}
    defaultMode: 0440
{{- end }}
{{- if .Values.tls.existingSecret }}
- name: tls
  secret:
    secretName: {{ .Values.tls.existingSecret }}
    defaultMode: 0440
{{- end }}
{{- if .Values.store.postgres.ca.existingSecret }}
- name: store-ca
  secret:
    secretName: {{ .Values.store.postgres.ca.existingSecret }}
    defaultMode: 0440
    # A key that is not there holds up the pod with an event that names it.
    items:
      - key: {{ .Values.store.postgres.ca.secretKey }}
        path: ca.crt
{{- end }}
{{- end }}

{{/* The pod's annotations; empty if there are none. */}}
{{- define "lastcard.podAnnotations" -}}
{{- $own := dict }}
{{- if .Values.metrics.enabled }}
{{- $own = dict "prometheus.io/scrape" "true" "prometheus.io/port" (toString .Values.metrics.port) }}
{{- end }}
{{- with merge (deepCopy .Values.podAnnotations) $own }}
{{- toYaml . }}
{{- end }}
{{- end }}

{{/* How long a pod may take to end: to leave the Services, to drain, and some. */}}
{{- define "lastcard.terminationSeconds" -}}
{{- $drain := add .Values.graceSeconds 10 }}
{{- if .Values.store.postgres.existingSecret }}{{ $drain = add $drain .Values.preStopSeconds }}{{ end }}
{{- $drain }}
{{- end }}

{{/* Pods on unlike nodes and in unlike zones as far as there are any. */}}
{{- define "lastcard.spread" -}}
{{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- topologyKey: {{ . }}
  maxSkew: 1
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "lastcard.selectorLabels" $ | nindent 6 }}
{{- end }}
{{- end }}
